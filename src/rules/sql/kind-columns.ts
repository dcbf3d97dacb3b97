import type { Column } from '../../records/kinds/kind.ts'
import { KINDS, type KindName } from '../../records/kinds/kinds.ts'

export const kindNames = Object.keys(KINDS) as KindName[]

export const columnsOf = (kind: KindName) =>
  Object.entries(KINDS[kind].columns) as (readonly [string, Column])[]

/** Opens the members that no column could hold; a rest that is no JSON was put in by somebody. */
export const REST = ', json_each(CASE WHEN json_valid(o._extra) THEN o._extra END) AS e'
