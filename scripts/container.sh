#!/bin/sh
# The entry point of the image: any command of papertape; without one, an exchange that others can reach.
case "${1:-serve}" in
  serve) [ "$#" -eq 0 ] || shift ;;
  -h | --help | --version) exec node /app/bin/papertape.js "$@" ;;
  -*) ;;
  *) exec node /app/bin/papertape.js "$@" ;;
esac
# Others reach a container, so /emulator asks for a token: that of ADMIN_TOKEN_FILE or ADMIN_TOKEN, or one that no one knows.
export PAPERTAPE_ADMIN_TOKEN="${ADMIN_TOKEN:-$(node -p 'crypto.randomUUID()')}"
exec node /app/bin/papertape.js serve --host 0.0.0.0 --port 8080 --behind-proxy "$BEHIND_PROXY" \
  ${ADMIN_TOKEN_FILE:+--admin-token-file "$ADMIN_TOKEN_FILE"} "$@"
