import type { Preview } from './endpoint.ts'

/** Forms of a resource other than JSON, which a media type of version 3 names: `application/vnd.github.raw`. */
const FORMS = ['raw', 'diff', 'patch'] as const
export type Form = (typeof FORMS)[number]

/** The content of an `Accept` header. */
export interface MediaType {
  /** JSON may be sent. */
  readonly acceptsJson: boolean
  /** The previews that are asked for, with the brands that asked: `github` by clients, `service` by the documentation. */
  readonly previews: ReadonlyMap<Preview, readonly string[]>
  /** Brands of media types of any form, in lowercase. */
  readonly brands: readonly string[]
  /** The form that is asked for in place of JSON: `raw`, `diff`, `patch`. */
  readonly form: Form | undefined
  /** A media type of version 3 itself is asked for: `application/vnd.github.v3+json` or `application/vnd.github+json`. */
  readonly isVersion3: boolean
}

const PREVIEWS: readonly Preview[] = ['starfox', 'sailor-v', 'machine-man', 'wyandotte']

const JSON_RANGES = ['*/*', 'application/*', 'application/json']

/** `application/vnd.<brand>[.<token>][.<form>][+json]` */
const VENDOR = /^application\/vnd\.([^.+]+)(?:\.([^.+]+))?(?:\.([^.+]+))?(?:\+json)?$/

/**
 * Reads an `Accept` header. Parameters and `q` are ignored, as the host does.
 *
 * @example
 * parseAccept('application/vnd.github.starfox-preview+json').previews.has('starfox') // true
 */
export function parseAccept(header: string | null | undefined): MediaType {
  const previews = new Map<Preview, string[]>()
  const brands: string[] = []
  let acceptsJson = !header?.trim()
  let isVersion3 = false
  let form: Form | undefined
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const type = range.split(';', 1)[0]?.trim() ?? ''
    if (JSON_RANGES.includes(type)) acceptsJson = true
    const vendor = VENDOR.exec(type)
    if (!vendor) {
      acceptsJson ||= type.startsWith('application/vnd.')
      continue
    }
    const [, brand = '', token, second] = vendor
    form ??= FORMS.find((name) => name === token || name === second)
    acceptsJson = true
    brands.push(brand)
    const preview = PREVIEWS.find((name) => token === `${name}-preview`)
    if (preview) previews.set(preview, [...(previews.get(preview) ?? []), brand])
    else isVersion3 ||= token === undefined || token === 'v3'
  }
  return { acceptsJson, previews, brands, form, isVersion3 }
}

/**
 * The value of `X-GitHub-Media-Type`: the first preview that the endpoint knows and the request asked for, else v3.
 *
 * @example
 * formatMediaType('github', parseAccept('application/json'), ['starfox']) // 'github.v3; format=json'
 */
export function formatMediaType(
  brand: string,
  asked: MediaType,
  known: readonly Preview[] = [],
): string {
  const preview = [...asked.previews.keys()].find((name) => known.includes(name))
  return `${brand}.${preview ? `${preview}-preview` : 'v3'}; format=json`
}
