// Trades with the client that oapi-codegen makes: go run . BASE_URL KEY
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/trading"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func limit(side trading.Side) (request trading.OrderRequest) {
	order := trading.LimitOrderRequest{Symbol: "BTC_USD", Side: side, Type: "LIMIT", Price: "100.00", Qty: "1"}
	must(0, request.FromLimitOrderRequest(order))
	return
}

func market() (request trading.OrderRequest) {
	order := trading.MarketOrderRequest{Symbol: "BTC_USD", Side: "BUY", Type: "MARKET", Qty: "1"}
	must(0, request.FromMarketOrderRequest(order))
	return
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Args[2])
		return nil
	}
	client := must(trading.NewClientWithResponses(os.Args[1], trading.WithRequestEditorFn(withKey)))
	placed := must(client.CreateOrderWithResponse(ctx, limit("BUY"))).JSON201
	read := must(client.GetOrderWithResponse(ctx, placed.Id)).JSON200
	asset := "USD"
	balances := *must(client.GetBalancesWithResponse(ctx, &trading.GetBalancesParams{Asset: &asset})).JSON200
	fmt.Println(read.Status, balances["USD"].Locked)
	fmt.Println(must(client.CancelOrderWithResponse(ctx, placed.Id)).JSON200.Status)
	must(client.CreateOrderWithResponse(ctx, limit("SELL")))
	fmt.Println(must(client.CreateOrderWithResponse(ctx, market())).JSON201.Status)
	interval := trading.M1
	candles := must(client.ListCandlesWithResponse(ctx, "BTC_USD", &trading.ListCandlesParams{Interval: &interval}))
	fmt.Println(len(candles.JSON200.Data))
	fmt.Println(must(client.GetPortfolioWithResponse(ctx)).JSON200.QuoteAsset)
	fmt.Println(must(client.CreateOrderWithResponse(ctx, market())).JSON422.Error.Code)
}
