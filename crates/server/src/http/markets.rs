//! Markets in the calls about terms.

use super::problem::Problem;
use super::query::{FromQuery, Parameters};

/// The market of somebody without a session.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, names("market"))]
pub struct AskedMarket(
    /// Where the applicant wants to work: a country (`DE`), a subdivision (`DE-BE`), or a place of the company in either
    /// (`DE-BE.berlin`). Absent: only the terms for everywhere.
    #[param(value_type = Option<String>, example = "DE-BE")]
    pub Option<String>,
);

impl FromQuery for AskedMarket {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        if parameters.all("market").count() > 1 {
            return Err(Problem::invalid_parameter("'market' stands twice."));
        }
        Ok(Self(parameters.first("market").map(str::to_owned)))
    }
}

/// With a session the account's market counts, so none is taken from the query.
pub struct AccountMarket;

impl FromQuery for AccountMarket {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        match parameters.first("market") {
            None => Ok(Self),
            Some(_) => Err(Problem::invalid_parameter(
                "'market' is for applicants: with a session the account's market counts.",
            )),
        }
    }
}
