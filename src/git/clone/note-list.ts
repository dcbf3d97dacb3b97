const MOST_NOTES = 20

/** Collects the first notes about files and counts the others. */
export function createNoteList() {
  const notes: string[] = []
  let more = 0
  const add = (note: string) => {
    if (notes.length < MOST_NOTES) notes.push(note)
    else more++
  }
  return {
    add,
    addAll: (several: readonly string[]) => several.forEach(add),
    list: () => (more === 0 ? notes : [...notes, `${more} more files were left out`]),
  }
}
