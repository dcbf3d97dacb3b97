/** Whether a text is the name of a file in a folder. */
export const isFileName = (name: string): boolean =>
  /^[^/\\\0]+$/.test(name) && !/^\.\.?$/.test(name)

/** A name as the last part of a path. */
export const fileName = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files must not have them
  const clean = name.toWellFormed().replace(/[/\\\u0000-\u001f\u007f]/g, '_')
  return /^\.*$/.test(clean) ? 'file' : clean
}

/** A name as the last part of an address, which stays whole in a text of Markdown. */
export const nameInUrl = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/[!'()*~]|[._]$/g, (sign) => `%${hexOf(sign)}`)

/** A text as the name of a repository. */
export const repositoryName = (text: string): string =>
  text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|(?<!-)-+$/g, '') || 'repository'

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase()
