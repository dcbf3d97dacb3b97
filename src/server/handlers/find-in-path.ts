import type { Person } from '../catalog/people.ts'
import type { CatalogReader } from '../catalog/reader.ts'
import type { Repository } from '../catalog/repositories.ts'
import type { Thread } from '../catalog/threads.ts'
import { busy, notFound } from '../http/http-error.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import type { Rendering } from '../resources/rendering.ts'

/**
 * The databases, if they can be asked.
 *
 * @throws `HttpError` 503 while their index is being made anew
 */
export function readerOf({ server: { catalog } }: RequestHead): CatalogReader {
  if (catalog.status === 'busy') throw busy(2)
  return catalog.read()
}

/** The context of the resources in the answer to a request. */
export const renderingOf = (head: RequestHead): Rendering => ({
  ...{ reader: readerOf(head), base: head.base, origin: head.origin, viewer: head.caller },
})

/**
 * The repository in the path.
 *
 * @throws `HttpError` 404 if there is none, or the caller may not know of it
 */
export function findRepository(head: RequestHead): Repository {
  const { repositories, permissions } = readerOf(head)
  const { owner, repo } = head.params
  const repository = repositories.findByName(`${owner}/${repo}`)
  if (!repository || !permissions.canRead(head.caller, repository)) throw notFound()
  return repository
}

/** A handler that answers about the repository in the path, which is found before anything else is checked. */
export const inRepository = (
  answer: (context: RequestContext, repository: Repository) => Answer | Promise<Answer>,
): Handler => ({
  find: (head) => void findRepository(head),
  answer: (context) => answer(context, findRepository(context)),
})

/** The issue or pull request of a repository with the number in the path. */
export function findThread(head: RequestHead, repository: Repository, name: string): Thread {
  const thread = readerOf(head).threads.findByNumber(repository, numberInPath(head, name))
  if (!thread) throw notFound()
  return thread
}

/** The organization in the path. */
export function findOrganization(head: RequestHead): Person {
  const organization = readerOf(head).people.findOrganization(head.params.org ?? '')
  if (!organization) throw notFound()
  return organization
}

/** The person in the path, who has a record, an account or any activity. */
export function findPerson(head: RequestHead): Person {
  const { people, feeds } = readerOf(head)
  const person = people.findByLogin(head.params.username ?? '')
  if (person && (person.record || person.id === 0 || feeds.isActor(person))) return person
  if (!people.isAccount(head.params.username ?? '')) throw notFound()
  return person ?? people.ofAccount(head.params.username ?? '')
}

/** A number in the path: at most 15 digits, or there is nothing with it. */
export function numberInPath({ params }: RequestHead, name: string): number {
  const text = params[name] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}
