//! Market parameters of the operations on terms.

pub mod console;
pub mod public;
use musette_core::markets::Market;

use super::wire::problem::Problem;
use super::wire::query::{FromQuery, Parameters};
use crate::markets::UnknownMarket;

/// The market of an applicant without a session.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, names("market"))]
pub struct AskedMarket(
    /// The market in which the applicant wants to work: a country (`DE`), a subdivision (`DE-BE`),
    /// or a place in one of them (`DE-BE.berlin`). Absent: only the terms that apply everywhere.
    #[param(value_type = Option<String>, example = "DE-BE")]
    pub Option<String>,
);

impl FromQuery for AskedMarket {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        if parameters.all("market").count() > 1 {
            return Err(Problem::invalid_parameter("'market' is given more than once."));
        }
        Ok(Self(parameters.first("market").map(str::to_owned)))
    }
}

/// Rejects the parameter `market`. With a session, the account's market counts.
pub struct AccountMarket;

impl FromQuery for AccountMarket {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        match parameters.first("market") {
            None => Ok(Self),
            Some(_) => Err(Problem::invalid_parameter(
                "'market' is for applicants only. With a session, the account's market counts.",
            )),
        }
    }
}

/// Filter by market.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MarketQuery {
    /// Only this market and the markets inside it, such as `DE` or `DE-BE.berlin`.
    #[param(value_type = Option<String>)]
    pub market: Option<Market>,
}

impl FromQuery for MarketQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let market =
            parameters.first("market").map(|code| Market::parse(code).ok_or(UnknownMarket));
        Ok(Self { market: market.transpose()? })
    }
}
