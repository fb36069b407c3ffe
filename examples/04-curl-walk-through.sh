#!/usr/bin/env bash
# The emulator's API step by step with curl.
# Usage: bash 04-curl-walk-through.sh ORIGIN API_KEY, with an origin such as http://127.0.0.1:8080
set -euo pipefail
api=$1/v1 emulator=$1/emulator key=$2

# say TITLE CURL_ARGUMENT...: prints the title and sends one request. A status of 400 or more ends the script.
say() {
  printf '\n# %s\n' "$1" >&2
  curl --silent --show-error --fail-with-body "${@:2}"
  printf '\n'
}
as_user=(--header "x-api-key: $key")
json=(--header 'content-type: application/json')

say 'the markets' "$api/markets"
say 'statistics of the last 24 hours' "$api/markets/BTC_USD/ticker"
say 'the last two candles' "$api/markets/BTC_USD/candles?interval=1m&limit=2"
say 'your balances' "${as_user[@]}" "$api/balances"

order=$(say 'a limit buy far below the market' "${as_user[@]}" "${json[@]}" "$api/orders" \
  --data '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"1000.00","qty":"0.5"}')
id=$(sed -E 's/.*"id":"([0-9]+)".*/\1/' <<<"$order")
say 'the USD that it locks' "${as_user[@]}" "$api/balances?asset=USD"
say 'cancel it' --request DELETE "${as_user[@]}" "$api/orders/$id"
say 'a market order' "${as_user[@]}" "${json[@]}" "$api/orders" \
  --data '{"symbol":"BTC_USD","side":"BUY","type":"MARKET","qty":"0.01"}'
say 'your fills' "${as_user[@]}" "$api/trades?limit=5"
say 'your portfolio' "${as_user[@]}" "$api/portfolio"

say 'a second user' "${json[@]}" "$emulator/users" --data '{"email":"second@example.com","verified":true}'
say 'the audit: credited = held + fees' "$emulator/audit"
