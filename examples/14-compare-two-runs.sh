#!/usr/bin/env bash
# Two runs side by side: what two seconds of latency do to a strategy, where the runs part first and why, and one page for both.
# Usage: bash 14-compare-two-runs.sh [DIRECTORY]
set -euo pipefail
directory=${1:-$(mktemp -d)}
papertape=(node "$(dirname "$0")/../bin/papertape.js") # of a clone; in a project of your own: (npx papertape)
backtest=("${papertape[@]}" backtest sma-cross --tape BTC_USD=data/btc_usd.csv.gz --param interval=1h --taker-fee 10 --quiet --force)

"${backtest[@]}" --out "$directory/near"
"${backtest[@]}" --out "$directory/far" --order-latency 2000

# Exit code 1 says that they are not the same, 2 that one cannot be read.
"${papertape[@]}" diff "$directory/near" "$directory/far" || [ $? -eq 1 ]

"${papertape[@]}" report "$directory/near" "$directory/far" --out "$directory/both.html"
