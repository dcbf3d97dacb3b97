import type { Preview } from './endpoint.ts'

/**
 * Forms of a resource other than JSON, or of the texts in it, which a media type of version 3 names:
 * `application/vnd.github.raw`, `application/vnd.github.full+json`.
 */
const FORMS = ['raw', 'diff', 'patch', 'text', 'html', 'full'] as const
export type Form = (typeof FORMS)[number]

/** A type or range of types in an `Accept` header, in lowercase, with its quality from 0 to 1. */
export interface MediaRange {
  readonly type: string
  readonly quality: number
}

/** The content of an `Accept` header. */
export interface MediaType {
  /** All types and ranges, in the order of the header. Media types of a brand are `application/json`. */
  readonly ranges: readonly MediaRange[]
  /** Bytes are asked for: `application/octet-stream`. */
  readonly acceptsBytes: boolean
  /** JSON may be sent. */
  readonly acceptsJson: boolean
  /** The previews that are asked for, with the brands that asked: `github` by clients, `service` by the documentation. */
  readonly previews: ReadonlyMap<Preview, readonly string[]>
  /** Brands of media types of any form, in lowercase. */
  readonly brands: readonly string[]
  /** The form that is asked for: `raw`, `diff` or `patch` in place of JSON, `text`, `html` or `full` of its texts. */
  readonly form: Form | undefined
  /** A media type of version 3 itself is asked for: `application/vnd.github.v3+json` or `application/vnd.github+json`. */
  readonly isVersion3: boolean
}

const PREVIEWS: readonly Preview[] = ['starfox', 'sailor-v', 'machine-man', 'wyandotte']

const JSON_RANGES = ['*/*', 'application/*', 'application/json']

/** `application/vnd.<brand>[.<token>][.<form>][+json]` */
const VENDOR = /^application\/vnd\.([^.+]+)(?:\.([^.+]+))?(?:\.([^.+]+))?(?:\+json)?$/

/**
 * Reads an `Accept` header. What it admits does not depend on parameters and `q`, as on the host.
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
  const ranges: MediaRange[] = []
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';')
    const type = name.trim()
    if (type === '') continue
    const isBranded = type.startsWith('application/vnd.')
    ranges.push({ type: isBranded ? 'application/json' : type, quality: qualityIn(parameters) })
    if (JSON_RANGES.includes(type)) acceptsJson = true
    const vendor = VENDOR.exec(type)
    if (!vendor) {
      acceptsJson ||= isBranded
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
  const acceptsBytes = ranges.some(({ type }) => type === 'application/octet-stream')
  return { ranges, acceptsJson, acceptsBytes, previews, brands, form, isVersion3 }
}

function qualityIn(parameters: readonly string[]): number {
  const text = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='))
  return text === undefined ? 1 : Math.min(1, Math.max(0, Number(text.slice(2)) || 0))
}

/**
 * How much a request wants a type, from 0 to 1. The most specific range counts; without a header, every type is as welcome.
 *
 * @example
 * qualityOf(parseAccept('text/html, *\/*;q=0.8'), 'application/json') // 0.8
 */
export function qualityOf({ ranges }: MediaType, type: string): number {
  if (ranges.length === 0) return 1
  for (const name of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = ranges.filter((range) => range.type === name)
    if (found.length > 0) return found.reduce((best, { quality }) => Math.max(best, quality), 0)
  }
  return 0
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
