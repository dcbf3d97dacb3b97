import { HttpError, notFound } from '../../http/http-error.ts'
import { seesPrivate } from '../../reading/people/viewer.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import {
  hooksOf,
  hooksOfOrganization,
  keysOf,
  type Setting,
  toHook,
  toKey,
} from '../resources/hooks.ts'
import { segment } from '../resources/people.ts'
import { repositoryUrl } from '../resources/repositories.ts'
import {
  findOrganization,
  inRepository,
  numberInPath,
  readerOf,
  renderingOf,
} from './find-in-path.ts'

/** Webhooks or deploy keys, and how one is described. */
interface Settings {
  readonly found: readonly Setting[]
  describe(setting: Setting): JsonObject
}

/** A handler for administrators of the repository in the path, whose token sees private things. */
const forAdministrators = (
  answer: (context: RequestContext, repository: IndexedRepository) => Answer,
): Handler =>
  inRepository((context, repository) => {
    const { caller } = context
    const permission = readerOf(context).permissions.permissionOf(caller, repository)
    if (permission !== 'admin' || !seesPrivate(caller)) throw notFound()
    return answer(context, repository)
  })

/** The same for the organization in the path. */
const forOwners = (answer: (context: RequestContext) => Answer): Handler => ({
  find: (head) => void findOrganization(head),
  answer(context) {
    const { caller } = context
    const { permissions } = readerOf(context)
    const role = caller && permissions.roleIn(findOrganization(context), caller.login)
    if (role !== 'admin' || !seesPrivate(caller)) throw notFound()
    return answer(context)
  },
})

const answerAll = ({ found, describe }: Settings): Answer => {
  const items = (offset: number, limit: number) => found.slice(offset, offset + limit).map(describe)
  return { status: 200, list: { total: found.length, items } }
}

const findOne = (context: RequestContext, { found }: Settings, name: string): Setting => {
  const number = numberInPath(context, name)
  const setting = found.find((each) => each.number === number)
  if (!setting) throw notFound()
  return setting
}

const answerOne = (context: RequestContext, settings: Settings, name: string): Answer => ({
  status: 200,
  body: settings.describe(findOne(context, settings, name)),
})

const hooksIn = (context: RequestContext, repository: IndexedRepository): Settings => {
  const rendering = renderingOf(context)
  const home = repositoryUrl(rendering, repository)
  return {
    found: hooksOf(rendering, repository),
    describe: (hook) => toHook('Repository', home, hook),
  }
}

const keysIn = (context: RequestContext, repository: IndexedRepository): Settings => {
  const rendering = renderingOf(context)
  const home = repositoryUrl(rendering, repository)
  return { found: keysOf(rendering, repository), describe: (key) => toKey(home, key) }
}

const hooksInOrganization = (context: RequestContext): Settings => {
  const rendering = renderingOf(context)
  const organization = findOrganization(context)
  const home = `${rendering.base}/orgs/${segment(organization.login)}`
  return {
    found: hooksOfOrganization(rendering, organization),
    describe: (hook) => toHook('Organization', home, hook),
  }
}

/** The webhooks of a repository, in the order of its record. */
export const hooks = forAdministrators((context, repository) =>
  answerAll(hooksIn(context, repository)),
)
export const hook = forAdministrators((context, repository) =>
  answerOne(context, hooksIn(context, repository), 'hook_id'),
)

/** The deploy keys of a repository, in the order of its record. */
export const keys = forAdministrators((context, repository) =>
  answerAll(keysIn(context, repository)),
)
export const key = forAdministrators((context, repository) =>
  answerOne(context, keysIn(context, repository), 'key_id'),
)

/** The webhooks of an organization, in the order of its record. */
export const organizationHooks = forOwners((context) => answerAll(hooksInOrganization(context)))
export const organizationHook = forOwners((context) =>
  answerOne(context, hooksInOrganization(context), 'hook_id'),
)

/** Nothing is ever sent to a webhook. */
const refuse = (): never => {
  throw new HttpError(403, 'This server serves archives, and sends nothing to webhooks')
}

export const pingHook = forAdministrators((context, repository) => {
  findOne(context, hooksIn(context, repository), 'hook_id')
  return refuse()
})
export const testHook = pingHook
export const pingOrganizationHook = forOwners((context) => {
  findOne(context, hooksInOrganization(context), 'hook_id')
  return refuse()
})
