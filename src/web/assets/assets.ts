import { createHash } from 'node:crypto'
import { PAGE_SCRIPT } from './page-script.ts'
import { SEARCH_SCRIPT } from './search-script.ts'
import { BASE_STYLES } from './styles-base.ts'
import { BODY_STYLES } from './styles-body.ts'
import { DATA_STYLES, GIT_STYLES } from './styles-git.ts'
import { PART_STYLES } from './styles-parts.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#e8743b"/><path fill="#fff" d="M3 3h10v3H3zm1 4h8v6H4zm2 1.5v1h4v-1z"/></svg>\n`

/** The files that all pages load from us, each with a path that changes with its content. */
export const ASSETS = {
  style: asset(
    'style',
    'css',
    'text/css; charset=utf-8',
    [BASE_STYLES, PART_STYLES, GIT_STYLES, DATA_STYLES, BODY_STYLES].join(''),
  ),
  script: asset('page', 'js', 'text/javascript; charset=utf-8', PAGE_SCRIPT),
  /** Loaded by the search page of a site alone. */
  search: asset('search', 'js', 'text/javascript; charset=utf-8', SEARCH_SCRIPT),
  icon: asset('icon', 'svg', 'image/svg+xml', ICON),
} as const

function asset(name: string, ending: string, type: string, text: string) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return { path: `/-/assets/${name}.${hash}.${ending}`, type, bytes: Buffer.from(text.trimStart()) }
}
