import { checkArguments } from '../base/check-arguments.ts'
import type { ClientOptions } from './client-options.ts'
import { anId, findMigration, isNotFound } from './list-migrations.ts'
import { archiveGone } from './migration.ts'
import { openSession } from './open-session.ts'

/**
 * Deletes the archive of a migration on the server. The migration itself stays.
 *
 * @param id the id of the migration
 * @param options the server, and as whom to talk to it
 * @throws `archive-gone` if there is none, and the codes of `getMigration`
 * @example
 * await deleteArchive(12, { server: 'github', token })
 */
export async function deleteArchive(id: number, options: ClientOptions): Promise<void> {
  checkArguments({ id }, { id: anId })
  const session = openSession(options, {})
  const call = { parameters: { migration_id: id } }
  try {
    await session.call('deleteUserArchive', call)
  } catch (error) {
    if (!isNotFound(error)) throw error
    await findMigration(session, id)
    throw archiveGone(id)
  }
}
