import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { withoutSecrets } from '../secrets.ts'
import { isDerivable } from './derivable.ts'
import type { Repository } from './repository.ts'

/** The webhooks of a repository as its record has them, with what has no other place. */
export function webhooksOf(
  repository: Repository,
  hooks: readonly JsonValue[],
  entry: string,
): JsonObject[] {
  return hooks.flatMap((hook, i) => {
    if (isObject(hook)) return [webhookOf(repository, hook, entry, `[${i}]`)]
    repository.problem('source-left-out', 'webhooks that are no objects', entry, `[${i}]`)
    return []
  })
}

function webhookOf(
  repository: Repository,
  hook: JsonObject,
  entry: string,
  at: string,
): JsonObject {
  const members = repository.members(hook, entry, at)
  const config = repository.members(members.object('config') ?? {}, entry, `${at}.config`)
  const record: JsonObject = {
    payload_url: config.text('url') ?? '',
    content_type: config.text('content_type') ?? 'form',
    event_types: members.texts('events'),
    enable_ssl_verification: String(config.take('insecure_ssl')) !== '1',
    active: members.flag('active') ?? true,
  }
  const leaveOut = (name: string) =>
    repository.problem('source-left-out', 'tokens and passwords', entry, `${at}.config.${name}`)
  members.keepRest('config', withoutSecrets(config, leaveOut), isDerivable)
  return { ...record, ...members.rest('', isDerivable, record) }
}
