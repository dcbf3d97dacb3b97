import { datasetsHave, queryDatasets } from '../../datasets/query-dataset.ts'
import type { NameSource } from '../../reading/databases/resolve-name.ts'
import { KINDS } from '../../records/kinds/kinds.ts'

/** The names in datasets. Each question reads the manifests, which is short beside the start of the engine. */
export function namesInDatasets(folders: readonly string[]): NameSource {
  const texts = async (sql: string, values: Record<string, string | bigint> = {}) => {
    const { rows, close } = await queryDatasets(folders, sql, values)
    try {
      return Array.from(rows, ([text]) => text).filter((text) => typeof text === 'string')
    } finally {
      close()
    }
  }
  return {
    texts,
    has: (table) => datasetsHave(folders, table),
    kinds: async () =>
      Object.keys(KINDS)
        .sort()
        .filter((kind) => datasetsHave(folders, kind)),
    async hasThread(repository, number) {
      if (!/^\d+$/.test(number)) return false
      const found = await texts(HAS_THREAD, { repository, number: BigInt(number) })
      return found.length > 0
    },
  }
}

const HAS_THREAD =
  'SELECT url FROM threads WHERE full_name = :repository AND number = :number LIMIT 1'
