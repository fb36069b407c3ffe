#!/usr/bin/env bash
# Compares two runs of a strategy, with and without two seconds of latency: where and why they diverge, and one report.
# Usage: bash 14-compare-two-runs.sh [DIRECTORY]
set -euo pipefail
directory=${1:-$(mktemp -d)}
papertape=(node "$(dirname "$0")/../bin/papertape.js") # in a clone; in your own project: (npx papertape)
backtest=("${papertape[@]}" backtest sma-cross --tape BTC_USD=data/btc_usd.csv.gz --param interval=1h --taker-fee 10)

"${backtest[@]}" --quiet --force --out "$directory/near"
"${backtest[@]}" --quiet --force --out "$directory/far" --order-latency 2000

# Exit code 1: the runs differ. Exit code 2: a run cannot be read.
"${papertape[@]}" diff "$directory/near" "$directory/far" || [ $? -eq 1 ]

"${papertape[@]}" report "$directory/near" "$directory/far" --out "$directory/both.html"
