/** Classic project boards of repositories and their owners. */

import type { Repository } from '../library.ts'
import { hostOf } from '../names.ts'
import { asList, asObject, asText, objectsOf } from '../values.ts'

/** A project board. */
export interface Project {
  readonly url: string
  readonly name: string | null
  readonly body: string | null
  readonly createdAt: string | null
  readonly columns: readonly ProjectColumn[]
}

export interface ProjectColumn {
  readonly name: string
  readonly cards: readonly unknown[]
}

/** Boards that are listed. */
const MOST = 200

const PROJECTS = `SELECT url, name, body, columns, created_at AS createdAt FROM projects
  WHERE url > ? AND url < ? ORDER BY rowid LIMIT ${MOST}`

/** The urls of boards of a repository are between these. */
const boundsOf = ({ url }: Repository): [string, string] => [`${url}/projects/`, `${url}/projects0`]

/** The boards of a repository. */
export const projectsOf = (repository: Repository): Project[] =>
  repository.store
    .all<Omit<Project, 'columns'> & { columns: string | null }>(PROJECTS, ...boundsOf(repository))
    .map(({ columns, ...project }) => ({ ...project, columns: toColumns(columns) }))

const toColumns = (json: unknown): ProjectColumn[] =>
  objectsOf(json).map(({ name, cards }) => ({
    name: asText(name) || 'Column',
    cards: Array.isArray(cards) ? cards : [],
  }))

export const countProjects = (repository: Repository): number =>
  repository.store.count(
    'SELECT count(*) FROM projects WHERE url > ? AND url < ?',
    ...boundsOf(repository),
  )

/** Boards with more text than this are not searched. */
const LARGEST_BOARD = 4 * 2 ** 20

const WITH_THREAD = `SELECT o.url, o.columns
  FROM projects AS o, (SELECT ? AS own, ? AS owners, ? AS thread) AS p
  WHERE (substr(o.url, 1, length(p.own)) = p.own OR substr(o.url, 1, length(p.owners)) = p.owners)
    AND instr(o.columns, p.thread) AND length(o.columns) <= ${LARGEST_BOARD}
  ORDER BY o.url LIMIT 1`

/** The board of a repository or of its owner that has a card of a thread, and the column of the card. */
export function boardWith(
  { store, url, owner }: Repository,
  thread: string,
): { readonly project: string; readonly column: string } | undefined {
  const ofOwner = `https://${hostOf(url)}/orgs/${owner}/projects/`
  const [project, columns] = store.row(WITH_THREAD, `${url}/projects/`, ofOwner, thread) ?? []
  const column = asList(columns)
    .map(asObject)
    .find(({ cards }) => names(cards, thread))
  return column && { project: asText(project), column: asText(column.name) }
}

/** Whether any text in a value names a url, and not only one that begins with it. */
function names(value: unknown, url: string): boolean {
  if (typeof value === 'string') {
    const at = value.indexOf(url)
    return at >= 0 && !/^\d/.test(value.slice(at + url.length))
  }
  if (Array.isArray(value)) return value.some((element) => names(element, url))
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => names(member, url))
    : false
}
