import { formatTime } from '../../../base/format-time.ts'
import type { Migration } from '../../../client/migration.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatCount } from '../../output/quantities.ts'

const DAY = 86_400_000
/** Days after which the public host deletes an archive. */
const LIFE = 7

/** When the archive of a migration will be deleted; null if it has none, or the server does not say. */
export function archiveUntil({ state, updated_at, has_archive }: Migration): string | null {
  const exported = Date.parse(updated_at)
  if (state !== 'exported' || !has_archive || Number.isNaN(exported)) return null
  return formatTime(exported + LIFE * DAY)
}

/** A migration with its guid, which names its archive. */
export function describeMigration({ id, guid, state, repositories }: Migration): SafeText {
  const [first = 'no repository', ...others] = repositories
  const more = others.length === 0 ? safe`` : safe` and ${formatCount(others.length)} more`
  const what = safe`${escapeControls(first)}${more}`
  return safe`migration ${id} is ${ownText(state)}: ${what}\nguid ${escapeControls(guid)}`
}
