/** Only the beginning of a row that is too long is kept, in characters. */
export const keptOfLongRow = 1024;

/** Bytes of a file that are read to recognize its delimiter and header. */
export const headBytes = 64 * 1024;

/** The largest workbook, in bytes. A workbook's directory is at its end, so it is held in memory. */
export const maxWorkbookBytes = 20 * 1024 * 1024;
/** Maximum unpacked size of all parts of a workbook together, in bytes. */
export const maxUnpackedBytes = 512 * 1024 * 1024;
/** Maximum size of a workbook's shared text in memory, in bytes. */
export const maxSharedBytes = 48 * 1024 * 1024;
export const maxSharedTexts = 4 * 1024 * 1024;
export const maxWorkbookParts = 2000;
/** Workbooks that Excel writes stay far below; deflate can reach 1,032. */
export const maxPackingRatio = 300;
