#include <linux/list.h>
#include <linux/rcupdate.h>
