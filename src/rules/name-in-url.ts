import { percentDecoded } from '../base/text.ts'

const OWNER = 'https?://[^/]+/'
const REPOSITORY = `${OWNER}[^/]+/[^/]+/`

/** Names that end the URL beside them, by kind and path: the pattern of that URL. */
const NAMES: Readonly<Record<string, RegExp>> = {
  'users login': new RegExp(`^${OWNER}([^/?#]+)$`),
  'organizations login': new RegExp(`^${OWNER}([^/?#]+)$`),
  'repositories name': new RegExp(`^${OWNER}[^/]+/([^/?#]+)$`),
  'repositories labels[].name': new RegExp(`^${REPOSITORY}labels/(.+)$`, 's'),
  'releases tag_name': new RegExp(`^${REPOSITORY}releases/tag/(.+)$`, 's'),
  'protected_branches name': new RegExp(`^${REPOSITORY}settings/branches/(.+)$`, 's'),
  'discussion_categories name': new RegExp(`^${REPOSITORY}discussion_categories/(.+)$`, 's'),
}

/** Whether the URL beside a name ends with it, by the place of the name: its kind and path. */
export const isNamedInUrl = (place: string): boolean => Object.hasOwn(NAMES, place)

/** Whether a URL ends with another name. Hosts ignore case, and some percent-encode a name and some do not. */
export function isOtherName(place: string, url: unknown, name: unknown): boolean {
  if (typeof url !== 'string' || typeof name !== 'string') return false
  const end = NAMES[place]?.exec(url)?.[1]
  if (end === undefined) return false
  return ![end, percentDecoded(end), percentDecoded(end.replaceAll('+', '%20'))].some(
    (each) => each.toLowerCase() === name.toLowerCase(),
  )
}
