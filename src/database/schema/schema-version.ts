/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 5
/** SHA-256 of the definitions of all views, so that a database is opened without loading them. It changes with them. */
export const VIEWS_DIGEST = '528c45dc6e804cd1b50e9bcc5632ad9ebd0c5ae16326290af5e8dea2c352f0ce'
