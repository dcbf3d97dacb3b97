import { aFlag, aText, checkArguments, listOf, objectOf } from '../../base/check-arguments.ts'
import { ClientError } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import { openSession } from '../open-session.ts'
import { findOrganization, findUser, type Mannequin, mannequinsOf, reclaim } from './importer.ts'

/** The server, and the organization that mannequins belong to. */
export interface MannequinOptions extends ClientOptions {
  /** The organization. */
  organization: string
}

/**
 * Lists the mannequins of an organization: people whose contributions an import brought along.
 *
 * @param options the server, as whom to talk to it, and the organization
 * @returns the mannequins, those that were reclaimed included
 * @throws the codes of `listMigrations`
 * @example
 * const options = { server: 'github', token, organization: 'forge' }
 * const open: string[] = []
 * for await (const { login, claimant } of listMannequins(options)) {
 *   if (claimant === null) open.push(login)
 * }
 */
export async function* listMannequins(options: MannequinOptions): AsyncGenerator<Mannequin> {
  const session = openSession<MannequinOptions>(options, {})
  yield* mannequinsOf(session, await findOrganization(session, options.organization))
}

/** A mannequin, and the account that shall get what it has done. */
export interface Reclaim {
  /** The login of the mannequin, for messages. */
  mannequin: string
  /** Its id. */
  id: string
  /** The login of the account. */
  target: string
}

/** The result for one mannequin. */
export interface Reclaimed extends Reclaim {
  /** Why it is not reclaimed, in the words of the server; null if it is, or if the account was asked. */
  refused: string | null
}

const aReclaim = objectOf({ mannequin: aText, id: aText, target: aText }, ['id', 'target'])

/**
 * Gives what mannequins have done to accounts. Each account is asked first, unless `skipInvitation` is set, which the organization must
 * be allowed to do. One that is refused does not keep the others back.
 *
 * @param reclaims the mannequins, and the accounts
 * @param options the server, as whom to talk to it, and the organization
 * @returns what became of each
 * @throws the codes of `listMigrations`
 * @example
 * const options = { server: 'github', token, organization: 'forge' }
 * const done = await reclaimMannequins([{ mannequin: 'ada', id: 'M_1', target: 'ada-forge' }], options)
 * const left = done.filter(({ refused }) => refused !== null)
 */
export async function reclaimMannequins(
  reclaims: readonly Reclaim[],
  options: MannequinOptions & { skipInvitation?: boolean | undefined },
): Promise<Reclaimed[]> {
  checkArguments({ reclaims }, { reclaims: listOf(aReclaim) })
  const session = openSession<typeof options>(options, { skipInvitation: aFlag })
  const { id: ownerId } = await findOrganization(session, options.organization)
  const targets = new Map<string, string>()
  const done: Reclaimed[] = []
  for (const each of reclaims) {
    try {
      const targetId = targets.get(each.target) ?? (await findUser(session, each.target))
      targets.set(each.target, targetId)
      const ids = { ownerId, sourceId: each.id, targetId }
      await reclaim(session, ids, { invite: !options.skipInvitation })
      done.push({ ...each, refused: null })
    } catch (error) {
      if (!(error instanceof ClientError && error.code === 'request-refused')) throw error
      done.push({ ...each, refused: error.message })
    }
  }
  return done
}
