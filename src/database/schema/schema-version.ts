/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 5
/** SHA-256 of the definitions of all views, so that a database is opened without loading them. It changes with them. */
export const VIEWS_DIGEST = '844b51d8444c4502b228c64f91c6499cde199322a49a303f1d1428d6663adbd2'
