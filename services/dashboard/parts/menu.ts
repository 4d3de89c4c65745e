/** What menus and their items wear; Base UI brings the behaviour. */
export const menuClasses = 'min-w-52 rounded-control border border-line2 bg-bg py-1 text-body outline-none';
export const menuItemClasses =
  'flex h-8 cursor-pointer select-none items-center gap-2 px-3 text-t1 outline-none data-[highlighted]:bg-hover data-[disabled]:text-t3';
