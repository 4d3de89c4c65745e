/** Characters of a note. */
export const maxNoteLength = 4000;
/** Notes of one shipment. */
export const maxNotes = 1000;

/** A person of the account by name. `hasLeft`: no longer a member. `userId` is a uuid. */
export type NamedPerson = { userId: string; name: string; hasLeft: boolean };

/** The author of a note. `id` is a uuid; `name`: null if the key is no longer known. */
export type NoteAuthor = { kind: 'member' | 'api_key'; id: string; name: string | null };

/** A note on a shipment. Times are ISO UTC. */
export type Note = {
  id: string;
  shipmentId: string;
  author: NoteAuthor;
  /** With mentions as `@user_…`. */
  text: string;
  mentions: NamedPerson[];
  createdAt: string;
  /** Null: never. */
  editedAt: string | null;
  edits: number;
};

/** Note as a change in the feed describes it. The text is read from the note itself, which may be gone by then. */
export type ChangedNote = Pick<Note, 'id' | 'author'> & {
  /** The members that it mentions. After a deletion: none. */
  mentions: string[];
};
