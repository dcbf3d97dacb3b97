/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 5
/** SHA-256 of the definitions of all views, so that a database is opened without loading them. It changes with them. */
export const VIEWS_DIGEST = 'b86e17cbeb1ffadf839812fb456fcad1e843ad3239bf38b7b3b0e3ee7c301dab'
