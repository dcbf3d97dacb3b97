/** In SQL, the names of repositories: those that have records, and those that have Git data. */
export const REPOSITORIES =
  'SELECT full_name FROM repositories UNION SELECT repository FROM refs ORDER BY 1'
