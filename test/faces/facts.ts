/** The table of facts: what is compared, how each face is asked, and how its answer is made comparable. */

/** A face of the archive. */
export type Face = 'sql' | 'show' | 'markdown' | 'page' | 'rest'

export const FACES: readonly Face[] = ['sql', 'show', 'markdown', 'page', 'rest']

/** How a face is asked for a fact. Undefined where it does not tell. */
export type Asks<Answers> = { readonly [F in Face]?: (answers: Answers) => unknown }

/** A fact about records of one noun. */
export interface Fact<Answers> {
  readonly name: string
  readonly asks: Asks<Answers>
  /** Makes answers comparable that are so only together. */
  readonly align?: (values: ReadonlyMap<Face, unknown>) => ReadonlyMap<Face, unknown>
}

export interface Difference {
  readonly noun: string
  readonly fact: string
  /** The record. */
  readonly url: string
  /** Two faces that differ, and what they say. */
  readonly faces: readonly [Face, Face]
  readonly said: readonly [string, string]
}

/** The pairs of faces that say something else of a record. `told` counts the answers of each fact and face. */
export function compare<Answers>(
  noun: string,
  facts: readonly Fact<Answers>[],
  { url, answers }: { url: string; answers: Answers },
  told: Map<string, number>,
): Difference[] {
  return facts.flatMap(({ name, asks, align = (values) => values }) => {
    const values = FACES.flatMap((face) => {
      const value = asks[face]?.(answers)
      return value === undefined ? [] : [[face, value] as const]
    })
    const said = [...align(new Map(values))].map(
      ([face, value]) => [face, JSON.stringify(value)] as const,
    )
    for (const [face] of said) {
      const key = `${noun}: ${name}, ${face}`
      told.set(key, (told.get(key) ?? 0) + 1)
    }
    return said.flatMap(([face, value], i) =>
      said
        .slice(i + 1)
        .filter(([, other]) => other !== value)
        .map(([other, text]): Difference => {
          return { noun, fact: name, url, faces: [face, other], said: [value, text] }
        }),
    )
  })
}
