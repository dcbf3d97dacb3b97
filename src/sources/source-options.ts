import { aFlag, aPath, is, objectOf, oneOf } from '../base/check-arguments.ts'

/** The names of forms, to take a source for one without looking at it. */
export const FORMS = [
  'github-backup',
  'github-metadata-backup',
  'bitbucket-issues',
  'gitlab-project',
] as const

export type Form = (typeof FORMS)[number]

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
  /** Which of them keep their numbers, if both issues and merge requests are counted from 1. Default `issues`. */
  numbers?: 'issues' | 'merge-requests' | undefined
  /**
   * `github` writes references in texts, and links to uploads, as GitHub has them. With `as-is` texts stay as they are, and
   * uploads stay files. Default `github`.
   */
  texts?: 'github' | 'as-is' | undefined
  /** The folder of a clone, with a work tree or bare: the Git data of the one repository of the source. */
  repoGit?: string | undefined
  /** The form that the source is taken for. Default: as recognized. */
  form?: Form | undefined
  /** Leaves out members, kinds and events that archives of the host do not have. */
  bare?: boolean | undefined
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
  numbers: oneOf('issues', 'merge-requests'),
  texts: oneOf('github', 'as-is'),
  repoGit: aPath,
  form: oneOf(...FORMS),
  bare: aFlag,
})
