import {
  aCount,
  aFlag,
  aFunction,
  aSignal,
  aText,
  checkOptions,
  listOf,
} from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'

/** The result of writing a site. */
export interface SiteSummary {
  /** Files of the site. */
  readonly files: number
  /** Those that were written; all others were there already. */
  readonly written: number
  /** Files of the site before that are gone. */
  readonly removed: number
  /** Bytes of all files. */
  readonly bytes: number
  /** Repositories without pages, as others have their names. */
  readonly shadowed: number
}

/** The contents of a site. */
export interface WriteSiteOptions {
  /** Only what a stranger may see: public repositories, and nothing about the whole database. Default false. */
  public?: boolean | undefined
  /** Repositories in Git: folders, files, commits, diffs. Default true. */
  git?: boolean | undefined
  /** Commits of each repository that get a page, the newest first. Default 2,000; `Infinity` for all. */
  commits?: number | undefined
  /** Folders and files of all branches, and not only of the default branch and tags. Default false. */
  allRefs?: boolean | undefined
  /** The archive of each database for download, as `buildArchive` makes it. Default false. */
  archive?: boolean | undefined
  /** Only these repositories, as `owner/name`, and nothing about the whole database. */
  repositories?: readonly string[] | undefined
  /** The bytes of uploads. Default true. */
  files?: boolean | undefined
  /** An index with which its pages are searched. Default true. */
  search?: boolean | undefined
  /** The address that the site will have: for a map of the site, and links that name the one address of a page. */
  base?: string | undefined
  /** Only estimate the files and bytes: nothing is written. Default false. */
  dryRun?: boolean | undefined
  /** Called after each page with the numbers of files and of bytes so far. */
  progress?: ((done: { files: number; bytes: number }) => void) | undefined
  /** Stops before the next page, with `interrupted`. */
  signal?: AbortSignal | undefined
}

/** An address with a slash at its end. */
export function baseOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/*$/, '/')
  }
  throw new ArchiveError(
    'option-invalid',
    `base: expected an address of http or https, found ${JSON.stringify(text)}`,
  ).about('base')
}

/** Commits of each repository that get a page. */
export const COMMITS = 2_000

/** Throws `option-invalid` for an option of another type. */
export function checkSiteOptions(options: WriteSiteOptions): void {
  checkOptions(options, {
    public: aFlag,
    git: aFlag,
    commits: aCount,
    allRefs: aFlag,
    files: aFlag,
    search: aFlag,
    repositories: listOf(aText),
    base: aText,
    dryRun: aFlag,
    archive: aFlag,
    progress: aFunction,
    signal: aSignal,
  })
  const { archive, public: isPublic, repositories } = options
  if (!archive || !(isPublic || repositories !== undefined)) return
  const other = isPublic ? 'public' : 'repositories'
  const message = `archive: expected it without ${other}, because an archive has all of a database`
  throw new ArchiveError('option-invalid', message).about('archive')
}
