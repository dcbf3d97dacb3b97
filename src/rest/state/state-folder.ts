/** Keeps everything in memory; archives are built in a temporary folder. */
export const IN_MEMORY = ':memory:'

/** The default folder for the state of a server: next to the first database. */
export const defaultStateFolder = ([first]: readonly string[]): string =>
  first === undefined ? IN_MEMORY : `${first.replace(/\.db$/, '')}.serve`
