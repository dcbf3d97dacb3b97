// The rules of git check-ref-format: what begins or ends so, or holds one of these, is no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[/-]|[/.]$|(^|\/)\.|\.lock(\/|$)|^@$/

/** Whether Git takes this as the name of a branch or tag. */
export const isRefName = (name: string): boolean => name !== '' && !FORBIDDEN.test(name)
