/** The address of a file from another file of the same folder, by their paths; neither has a part that is empty or only of dots. */
export function relativeAddress(from: string, to: string): string {
  let [same, at] = [0, 0]
  for (; at < from.length && from[at] === to[at]; at++) if (from[at] === '/') same = at + 1
  let up = ''
  for (let i = same; i < from.length; i++) if (from[i] === '/') up += '../'
  return up + encodeFile(to.slice(same))
}

/** The path of a file as in an address. */
export const encodeFile = (file: string): string =>
  /^[\w./~-]*$/.test(file) ? file : file.split('/').map(encodeURIComponent).join('/')
