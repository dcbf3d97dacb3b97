import { expect, test } from 'vitest'
import { openScratchFile } from '../../src/files/scratch-file.ts'

test('What was written is read at any place, in pieces, and anew after it was cleared', () => {
  const file = openScratchFile()
  try {
    expect([...file.pieces(4)]).toEqual([])
    file.append(Buffer.from('teapot'))
    file.append(Buffer.from('kettle'))
    expect(file.size).toBe(12)
    expect(file.read(4, 5).toString()).toBe('otket')
    expect([...file.pieces(5)].map(String)).toEqual(['teapo', 'tkett', 'le'])
    file.clear()
    file.append(Buffer.from('cup'))
    expect([...file.pieces(5)].map(String)).toEqual(['cup'])
  } finally {
    file.close()
  }
})
