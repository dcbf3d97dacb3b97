import { describe, expect, test } from 'vitest'
import { createDetector, type Detector, WHAT } from '../../../../src/transform/redact/detect.ts'
import type { Finding } from '../../../../src/transform/redact/finding.ts'
import { createPseudonyms, MODES, type Mode } from '../../../../src/transform/redact/pseudonyms.ts'
import { replacementOf } from '../../../../src/transform/redact/redact-records.ts'
import { someOf } from '../../../support/property-runs.ts'
import { firstOfEach, THOROUGH } from '../../../support/thorough.ts'
import { token } from '../corpus.ts'
import { secretsByContext } from '../tokens.ts'
import { TEXT_CLOTHES } from './clothes.ts'
import { FORMS } from './forms.ts'
import { Planter } from './planter.ts'

const pseudonyms = createPseudonyms(Buffer.alloc(32, 7), { keepDomain: false })

const findCertain =
  (detect: Detector) =>
  (text: string): Finding[] =>
    detect(text).filter(({ doubtful }) => !doubtful)

const redactedWith = (found: readonly Finding[], text: string, mode: Mode): string =>
  found.reduceRight(
    (rest, finding) =>
      rest.slice(0, finding.start) +
      replacementOf(finding, text, { pseudonyms, mode }) +
      rest.slice(finding.end),
    text,
  )

/** What may follow a secret: it must not be read as one in its place. */
const BEHIND = [
  ' there',
  ' kettle1234/tools5678',
  '\nkettle1234/tools5678',
  '\n\tmachine b login c',
]

describe.each(MODES)('With the mode %s, what follows a secret that was taken out stays', (mode) => {
  const find = findCertain(createDetector({ what: new Set(WHAT), keep: new Set() }))
  const others = mode === 'remove' ? {} : THOROUGH
  test.each(secretsByContext(token))('in %s', others, (_, secret) => {
    for (const behind of BEHIND) {
      for (const text of [secret + behind, JSON.stringify({ log: secret + behind })]) {
        const redacted = redactedWith(find(text), text, mode)
        expect(find(redacted), redacted).toEqual([])
      }
    }
  })
})

const CASES = Object.entries(TEXT_CLOTHES).flatMap(([clothes, dress]) =>
  MODES.map((mode) => [clothes, mode, dress] as const),
)

const [[everyDay], [others]] = firstOfEach(CASES, ([clothes]) => clothes)
const TITLE = 'Nothing is found again in a text as %s, with the mode %s'
test.each(everyDay)(TITLE, expectNothing)
test.each(others)(TITLE, THOROUGH, expectNothing)

function expectNothing(...[clothes, mode, dress]: (typeof CASES)[number]): void {
  for (const form of someOf(Object.values(FORMS).flat())) {
    const planter = new Planter()
    const text = dress(planter.plant(form, 'a text', clothes))
    const detect = createDetector({
      what: new Set(WHAT),
      keep: new Set(),
      names: planter.people.flatMap(({ name = [] }) => name),
      logins: planter.people.flatMap(({ login = [] }) => login),
    })
    const certain = findCertain(detect)
    const redacted = redactedWith(certain(text), text, mode)
    expect(certain(redacted), `${form.kind} ${form.name}: ${redacted}`).toEqual([])
  }
}
