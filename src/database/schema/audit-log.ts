/** The file of an account export that has a table of its own, and the table. */
export const AUDIT_LOG_FILE = 'audit_log.csv'
export const AUDIT_LOG = 'audit_log'
