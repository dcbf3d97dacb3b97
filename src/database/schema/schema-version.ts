/** "marc" in ASCII: tells our databases from others, in the header of the file. */
export const APPLICATION_ID = 0x6d617263
/** Raised whenever tables or views change, so that an older program refuses a newer file. */
export const SCHEMA_VERSION = 6
/** SHA-256 of the definitions of all views, so that a database is opened without loading them. It changes with them. */
export const VIEWS_DIGEST = '89b0033e38dc0f556bcbee4866c14c744387ffbdf5b17fac2bdbf3a91484f492'
