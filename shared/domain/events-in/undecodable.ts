/**
 * Stands in a text of messages for bytes that its character set doesn't have. A noncharacter of Unicode: no text has it.
 */
export const undecodable = '\uFFFF';
