import { ArchiveError } from '../../../base/errors.ts'
import { hidePassword } from '../server-url.ts'

const IS_STORE = /^s3:\/\//i
const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s

/** Whether a place is in an object store. */
export const isStore = (place: string): boolean => IS_STORE.test(place)

/** The place without keys, for messages. Nobody should write a key into a place, but some will. */
export const withoutPassword = (place: string): string => hidePassword(place, 's3')

/** Throws `option-invalid` without repeating the place: it may hold a key. */
export function parsePlace(place: string): { bucket: string; folder: string } {
  const [, bucket, path = ''] = PLACE.exec(place) ?? []
  const folder = path.replace(/(?<!\/)\/+$/, '')
  const parts = folder === '' ? [] : folder.split('/')
  const isSound = parts.every((part) => !/^\.{0,2}$|\p{Cc}/u.test(part)) && folder.isWellFormed()
  if (bucket && isSound) return { bucket, folder }
  throw new ArchiveError('option-invalid', 'expected a place such as s3://bucket/folder')
}

/** The address of a bucket. Amazon has a host name for each bucket; other stores seldom do. */
export function addressOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) {
    if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
      const message = 'the address of the object store must begin with https:// or http://'
      throw new ArchiveError('option-invalid', message)
    }
    const { origin, pathname } = new URL(endpoint)
    return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}/${bucket}`
  }
  const domain = `${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // A certificate for *.s3 does not cover a name with dots.
  return bucket.includes('.') ? `https://s3.${domain}/${bucket}` : `https://${bucket}.s3.${domain}`
}

/** A key as a URL has it. */
export const encodeKey = (key: string): string =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')
