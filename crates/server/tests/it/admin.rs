//! `/api/admin/v1`.

mod audit;
