import { readCommit } from '../../git/history/walk-commits.ts'
import { walkTree } from '../../git/history/walk-tree.ts'
import type { Repository as GitRepository } from '../../git/open-repository.ts'
import { isFolder, isLink, isSubmodule } from '../../git/parse/parse-tree.ts'
import { defaultRevision } from './git-repository.ts'
import type { Repository } from './library.ts'

/** A page of a wiki: a file in its repository. */
export interface WikiPage {
  /** As in addresses: the name of the file without its ending. */
  readonly name: string
  readonly file: string
  readonly oid: string
}

/** Files of a wiki that are looked at. */
const MOST = 5_000

const WRITTEN =
  /\.(?:md|markdown|mkd|mdown|rst|textile|org|asciidoc|adoc|creole|mediawiki|pod|rdoc|txt)$/i

/** The pages of a wiki, in the order of their paths. Throws as `readTree`. */
export function readWiki(repository: Repository, git: GitRepository): readonly WikiPage[] {
  return repository.store.remember(
    `wiki ${repository.url}`,
    () => {
      const revision = defaultRevision({ ...repository, url: `${repository.url}.wiki` }, git)
      if (!revision) return []
      const pages: WikiPage[] = []
      for (const entry of walkTree(git.objects, readCommit(git.objects, revision.oid).tree)) {
        if (isFolder(entry) || isLink(entry) || isSubmodule(entry)) continue
        if (!WRITTEN.test(entry.name)) continue
        pages.push({ name: entry.name.replace(WRITTEN, ''), file: entry.name, oid: entry.oid })
        if (pages.length === MOST) break
      }
      return pages
    },
    (pages) => pages.length * 200,
  )
}

const fold = (name: string): string => name.replace(/[\s_]+/g, '-').toLowerCase()

/** The page with a name; spaces, hyphens and case do not matter. */
export const findInWiki = (pages: readonly WikiPage[], name: string): WikiPage | undefined =>
  pages.find((page) => page.name === name) ?? pages.find((page) => fold(page.name) === fold(name))
