//! Trades with the client that openapi-generator makes of the target `rust`: cargo run -- BASE_URL KEY
use trading::apis::configuration::{ApiKey, Configuration};
use trading::apis::{account_api, markets_api, orders_api, Error};
use trading::models::{limit_order_request, market_order_request, LimitOrderRequest, MarketOrderRequest, OrderRequest, Side};

fn limit(side: Side) -> OrderRequest {
    let (symbol, price, qty) = ("BTC_USD".to_string(), "100.00".to_string(), "1".to_string());
    OrderRequest::LimitOrderRequest(Box::new(LimitOrderRequest::new(
        symbol,
        side,
        limit_order_request::Type::Limit,
        price,
        qty,
    )))
}

fn market() -> OrderRequest {
    let (symbol, qty) = ("BTC_USD".to_string(), "1".to_string());
    OrderRequest::MarketOrderRequest(Box::new(MarketOrderRequest::new(
        symbol,
        Side::Buy,
        market_order_request::Type::Market,
        qty,
    )))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let base_path = arguments.next().expect("BASE_URL");
    let key = arguments.next().expect("KEY");
    let api_key = Some(ApiKey { prefix: None, key });
    let client = Configuration { base_path, api_key, ..Configuration::default() };
    let placed = orders_api::create_order(&client, limit(Side::Buy)).await.expect("a limit order");
    let read = orders_api::get_order(&client, &placed.id).await.expect("the order");
    let balances = account_api::get_balances(&client, Some("USD")).await.expect("balances");
    println!("{} {}", read.status, balances["USD"].locked);
    println!("{}", orders_api::cancel_order(&client, &placed.id).await.expect("a cancel").status);
    orders_api::create_order(&client, limit(Side::Sell)).await.expect("an offer");
    println!("{}", orders_api::create_order(&client, market()).await.expect("a market order").status);
    let candles = markets_api::list_candles(&client, "BTC_USD", Some("1m"), None, None, None).await.expect("candles");
    println!("{}", candles.data.len());
    println!("{}", account_api::get_portfolio(&client).await.expect("the portfolio").quote_asset);
    match orders_api::create_order(&client, market()).await {
        Err(Error::ResponseError(refused)) => {
            let body: serde_json::Value = serde_json::from_str(&refused.content).expect("the envelope");
            println!("{}", body["error"]["code"].as_str().expect("a code"));
        }
        other => panic!("expected a refusal, got {other:?}"),
    }
}
