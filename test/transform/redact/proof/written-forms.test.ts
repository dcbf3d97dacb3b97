import { expect, test } from 'vitest'
import { textAround, writtenForms } from '../../../../src/transform/redact/proof/written-forms.ts'

test('A value has a form in base64 behind none, one and two bytes, with the text around it', () => {
  const value = 'Ada Kettle'
  for (const before of ['', 'x', 'by', '(by ']) {
    const bytes = Buffer.from(Buffer.from(`${before}${value}, and`).toString('base64'))
    const found = writtenForms(value).flatMap((form) => {
      const start = form.coding === 'base64' ? bytes.indexOf(form.bytes) : -1
      return start < 0 ? [] : textAround(form, bytes, start, start + form.bytes.length)
    })
    expect(found).toEqual([{ before, after: ', and' }])
  }
})

test('A long value is searched for by its beginning', () => {
  for (const { bytes } of writtenForms('é"'.repeat(10_000))) {
    expect(bytes.length).toBeLessThan(2000)
  }
})
