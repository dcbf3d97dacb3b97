import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { copyDatabase } from '../../database/copy-database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { partialOf } from '../../files/partial-file.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import type { IdentityMap } from '../../transform/map/identity-map.ts'
import { mapRecords } from '../../transform/map/map-records.ts'

/** A person of a database, and the account that everything of that person becomes. Both are logins. */
export interface Claim {
  readonly login: string
  readonly claimant: string
}

/** The task of a claim in one database, which is copied; can be sent to another process */
export interface ClaimOrder extends Claim {
  readonly database: string
  readonly output: string
}

/** The map by which people become accounts. */
export const claimMap = (claims: readonly Claim[]): IdentityMap['logins'] =>
  claims
    .filter(({ login, claimant }) => login.toLowerCase() !== claimant.toLowerCase())
    .map(({ login, claimant }) => ({ old: login, new: claimant, place: 'a claim' }))

/** Texts stay as people wrote them, and several people may be one account. */
export const CLAIMING = { mentions: 'none', merge: true } as const

/** Writes a copy of a database in which a person has become an account. */
export function claimMannequin({ database: source, output, ...claim }: ClaimOrder): void {
  const partial = partialOf(output)
  try {
    const from = openDatabase(source)
    try {
      copyDatabase(from, partial)
    } finally {
      from.close()
    }
    const database = openDatabase(partial, { readonly: false })
    try {
      const map = { hosts: [], logins: claimMap([claim]), repositories: [] }
      mapRecords(database, map, CLAIMING)
    } finally {
      database.close()
    }
    renameSync(partial, output)
    syncFolder(dirname(output))
  } finally {
    rmSync(partial, { force: true })
  }
}
