#!/usr/bin/env bash
# A walk through the emulator with curl: bash 04-curl-walk-through.sh ORIGIN API_KEY, the origin as in http://127.0.0.1:8080
set -euo pipefail
api=$1/v1 emulator=$1/emulator key=$2

# say WHAT CURL_ARGUMENT...: one request, with what it is for. A status of 400 or more ends the walk.
say() {
  printf '\n# %s\n' "$1" >&2
  curl --silent --show-error --fail-with-body "${@:2}"
  printf '\n'
}
as_user=(--header "x-api-key: $key")
json=(--header 'content-type: application/json')

say 'what is traded' "$api/markets"
say 'the last day of a market' "$api/markets/BTC_USD/ticker"
say 'its last two candles' "$api/markets/BTC_USD/candles?interval=1m&limit=2"
say 'what I have' "${as_user[@]}" "$api/balances"

order=$(say 'a buy order that rests, far below the market' "${as_user[@]}" "${json[@]}" "$api/orders" \
  --data '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"1000.00","qty":"0.5"}')
id=$(sed -E 's/.*"id":"([0-9]+)".*/\1/' <<<"$order")
say 'what it has locked' "${as_user[@]}" "$api/balances?asset=USD"
say 'cancelled again' --request DELETE "${as_user[@]}" "$api/orders/$id"
say 'a market order' "${as_user[@]}" "${json[@]}" "$api/orders" \
  --data '{"symbol":"BTC_USD","side":"BUY","type":"MARKET","qty":"0.01"}'
say 'its fills' "${as_user[@]}" "$api/trades?limit=5"
say 'what I am worth' "${as_user[@]}" "$api/portfolio"

say 'a second user' "${json[@]}" "$emulator/users" --data '{"email":"second@example.com","verified":true}'
say 'nothing is lost: credited = held + fees' "$emulator/audit"
