import { HttpError } from '../http/http-error.ts'
import { formatLink } from '../interface/link-header.ts'

/** Which page of a list a request asks for. */
export interface PageRequest {
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

const FEED_PAGE = 30
const FEED_PAGES = 10
const LARGEST_PAGE = 100
const DEFAULT_PAGE = 30

/** The page of a request whose parameters were not read yet. */
export const FIRST_PAGE: PageRequest = { page: 1, perPage: DEFAULT_PAGE }

const TOO_FAR =
  'In order to keep the API fast for everyone, pagination is limited for this resource. Check the rel=last link relation in the Link response header to see how far back you can traverse.'

/**
 * Reads `page` and `per_page`. An invalid number counts as left out; feeds ignore `per_page`.
 *
 * @throws `HttpError` 422 for a page of a feed above 10
 */
export function parsePage(query: URLSearchParams, list: 'feed' | 'list' | undefined): PageRequest {
  const page = wholeNumber(query.get('page')) ?? 1
  if (list === 'feed') {
    if (page > FEED_PAGES) throw new HttpError(422, TOO_FAR)
    return { page, perPage: FEED_PAGE }
  }
  const perPage = Math.min(wholeNumber(query.get('per_page')) ?? DEFAULT_PAGE, LARGEST_PAGE)
  return { page, perPage }
}

/** A whole number from 1; undefined for anything else. */
function wholeNumber(text: string | null): number | undefined {
  if (text === null || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text) || undefined
}

/**
 * The `Link` header of a page, or undefined if everything fits on one page.
 *
 * @param url the address of the list without its query
 * @param search the query of the request; all parameters stay as they are, except `page`, which is moved to the end
 * @param list how many items there are; if it is open, no page is called the last
 */
export function linkOfPage(
  url: string,
  search: string,
  { page, perPage }: PageRequest,
  { total, isOpen = false }: { readonly total: number; readonly isOpen?: boolean },
): string | undefined {
  const last = Math.ceil(total / perPage)
  if (last <= 1) return undefined
  const others = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has('page'))
  const to = (number: number) => encodeOdd(`${url}?${[...others, `page=${number}`].join('&')}`)
  return formatLink({
    ...(page > 1 && { prev: to(Math.min(page - 1, last)) }),
    ...(page < last && { next: to(page + 1), ...(!isOpen && { last: to(last) }) }),
    ...(page > 1 && { first: to(1) }),
  })
}

/** Encodes what would end an address early in a header. */
const encodeOdd = (url: string): string =>
  url.replace(/[^!-~]|["<>\\^`{|}]/g, (character) => encodeURIComponent(character))
