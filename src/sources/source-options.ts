import { is, objectOf, oneOf } from '../base/check-arguments.ts'

/** Facts about a source of another program that it may not tell itself. */
export interface SourceOptions {
  /**
   * The name of its repository, such as `octo/kettle`. Of a source with several repositories, this is the name of the one in
   * the folder `kettle`. Default: as found.
   */
  repoName?: string | undefined
  /** The beginning of all addresses of its host, such as `https://github.example.org`. Default: as found. */
  hostUrl?: string | undefined
  /** Who may see a repository of which it does not say so. Default `private`. */
  visibility?: 'public' | 'private' | undefined
}

const PART = '[^/?#%\\s]+'
const NAME = new RegExp(`^(?!\\.{1,2}/)${PART}/(?!\\.{1,2}$)${PART}$`)
const HOST = new RegExp(`^https?://[^/?#\\s@]+(?:/${PART})*$`)

export const SOURCE_OPTIONS = objectOf({
  repoName: is(
    'a name such as owner/name',
    (value) => typeof value === 'string' && NAME.test(value),
  ),
  hostUrl: is(
    'an address such as https://github.com, without a slash at its end',
    (value) => typeof value === 'string' && HOST.test(value),
  ),
  visibility: oneOf('public', 'private'),
})
