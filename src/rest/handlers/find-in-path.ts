import { notFound } from '../../http/http-error.ts'
import type { Person } from '../../reading/people/people.ts'
import { seesPrivate } from '../../reading/people/viewer.ts'
import type { IndexedReader } from '../../reading/reader.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IndexedThread } from '../../reading/threads/indexed-threads.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import type { Rendering } from '../resources/rendering.ts'

/**
 * The databases, if they can be asked.
 *
 * @throws `HttpError` 503 while their index is being made anew
 */
export function readerOf({ server: { catalog } }: RequestHead): IndexedReader {
  catalog.requireReady()
  return catalog.read()
}

/** The context of the resources in the answer to a request. */
export const renderingOf = (head: RequestHead): Rendering => ({
  reader: readerOf(head),
  base: head.base,
  origin: head.origin,
  viewer: head.caller,
})

/**
 * The repository in the path.
 *
 * @throws `HttpError` 404 if there is none, or the caller may not know of it
 */
export function findRepository(head: RequestHead): IndexedRepository {
  const { repositories, permissions } = readerOf(head)
  const { owner, repo } = head.params
  const repository = repositories.findByName(`${owner}/${repo}`)
  if (!repository || !permissions.canRead(head.caller, repository)) throw notFound()
  return repository
}

/** A handler that answers about the repository in the path, which is found before anything else is checked. */
export const inRepository = (
  answer: (context: RequestContext, repository: IndexedRepository) => Answer | Promise<Answer>,
): Handler => ({
  find: (head) => void findRepository(head),
  answer: (context) => answer(context, findRepository(context)),
})

/** The issue or pull request of a repository with the number in the path. */
export function findThread(
  head: RequestHead,
  repository: IndexedRepository,
  name: string,
): IndexedThread {
  const number = numberInPath(head, name)
  const { threads } = readerOf(head)
  const thread = threads.findByNumber(
    repository,
    number,
    name === 'pull_number' ? 'pulls' : 'issues',
  )
  if (!thread) throw notFound()
  return thread
}

/** The organization in the path. */
export function findOrganization(head: RequestHead): Person {
  const organization = readerOf(head).people.findOrganization(head.params.org ?? '')
  if (!organization) throw notFound()
  return organization
}

/** The person in the path: one with a record or an account, or whom a record names that the caller may know. */
export function findPerson(head: RequestHead): Person {
  const { people } = readerOf(head)
  const person = people.findByLogin(head.params.username ?? '')
  if (person && (person.record || person.id === 0 || mayKnow(head, person))) return person
  if (!people.isAccount(head.params.username ?? '')) throw notFound()
  return person ?? people.ofAccount(head.params.username ?? '')
}

/**
 * Whether the caller may know of a person without a record. Somebody whom only lists of members and collaborators name is
 * known to those who may read these.
 */
function mayKnow(head: RequestHead, person: Person): boolean {
  const { caller } = head
  const { feeds, people, permissions, repositories, threads } = readerOf(head)
  if (feeds.isActor(person) || threads.isInvolved(person)) return true
  if (!permissions.hasAccess(person)) return true
  if (!seesPrivate(caller)) return false
  const organizations = permissions.organizationsOf(person.login)
  if (organizations.some((id) => permissions.seesMembersOf(caller, people.byId(id, ''))))
    return true
  return permissions
    .repositoriesOf(person.login, ['collaborator', 'organization_member'])
    .some((id) => {
      const repository = repositories.byId(id)
      const permission = repository && permissions.permissionOf(caller, repository)
      return permission === 'push' || permission === 'admin'
    })
}

/** A number in the path: at most 15 digits, or there is nothing with it. */
export function numberInPath({ params }: RequestHead, name: string): number {
  const text = params[name] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}
