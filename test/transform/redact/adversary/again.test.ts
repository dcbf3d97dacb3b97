import { expect, test } from 'vitest'
import { createDetector, type Detector, WHAT } from '../../../../src/transform/redact/detect.ts'
import { createPseudonyms, MODES, type Mode } from '../../../../src/transform/redact/pseudonyms.ts'
import { replacementOf } from '../../../../src/transform/redact/redact-records.ts'
import { someOf } from '../../../support/property-runs.ts'
import { firstOfEach, THOROUGH } from '../../../support/thorough.ts'
import { TEXT_CLOTHES } from './clothes.ts'
import { FORMS } from './forms.ts'
import { Planter } from './planter.ts'

/** Texts in which what follows a password could be one once it is taken out. */
const BEFORE = [
  'machine a.example login ci password ',
  'machine a.example\n\tlogin ci\n\tpassword  ',
  'docker login -u ci -p ',
  'curl -u ci:',
  '--password ',
  'password: ',
  'DB_PASSWORD=',
  'Authorization: Bearer ',
  '//registry.example/:_authToken=',
]

const pseudonyms = createPseudonyms(Buffer.alloc(32, 7), { keepDomain: false })

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
    expectOnce(detect, text, mode, `${form.kind} ${form.name}`)
  }
}

test.each(BEFORE)('What follows %j is not found once the password was taken out', (before) => {
  const detect = createDetector({ what: new Set(WHAT), keep: new Set() })
  for (const mode of MODES) {
    for (const behind of ['', ' kettle1234/tools5678', '\nkettle1234/tools5678', '\n\tmachine b']) {
      const text = `${before}hunter2345pw${behind}`
      expect(detect(text).map(({ value }) => value)).toEqual(['hunter2345pw'])
      expectOnce(detect, text, mode)
    }
  }
})

/** Whether nothing is found in a text that was redacted. */
function expectOnce(detect: Detector, text: string, mode: Mode, form = ''): void {
  const certain = (each: string) => detect(each).filter(({ doubtful }) => !doubtful)
  const redacted = certain(text).reduceRight(
    (rest, finding) =>
      rest.slice(0, finding.start) +
      replacementOf(finding, text, { pseudonyms, mode }) +
      rest.slice(finding.end),
    text,
  )
  expect(certain(redacted), `${form}: ${redacted}`).toEqual([])
}
