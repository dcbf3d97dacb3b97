/**
 * Whether a text matches a pattern in which `*` stands for any characters, slashes too, and `?` for one. The time grows
 * at most with the product of their lengths.
 */
export function matchWildcards(text: string, pattern: string): boolean {
  let [at, place] = [0, 0]
  // Where to go on if the characters after the last star do not match.
  let [star, retry] = [-1, 0]
  while (at < text.length) {
    const wanted = pattern[place]
    if (wanted === '*') {
      star = place++
      retry = at
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at++
      place++
    } else if (star >= 0) {
      place = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[place] === '*') place++
  return place === pattern.length
}

/** Whether a path matches a pattern as in Git: the path itself, or a folder above it. */
export function matchPath(path: string, pattern: string): boolean {
  const wanted = pattern.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, '')
  if (wanted === '' || wanted === '.' || path.startsWith(`${wanted}/`)) return true
  return (
    matchWildcards(path, wanted) || (wanted.includes('*') && matchWildcards(path, `${wanted}/*`))
  )
}
