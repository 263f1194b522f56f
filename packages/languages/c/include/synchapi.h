#ifndef FENCEWRIGHT_SYNCHAPI_H
#define FENCEWRIGHT_SYNCHAPI_H
/* Of Windows, what waits on addresses. */
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define TRUE 1
#define FALSE 0
#define INFINITE 0xffffffff
#define ERROR_INVALID_PARAMETER 87
#define ERROR_TIMEOUT 1460
typedef int BOOL;
typedef unsigned DWORD;
typedef size_t SIZE_T;
#define VOID void
typedef void *PVOID;
DWORD GetLastError(void);
BOOL WaitOnAddress(volatile void *address, void *undesired, SIZE_T size, DWORD milliseconds);
void WakeByAddressSingle(void *address);
void WakeByAddressAll(void *address);
#define MemoryBarrier() __sync_synchronize()
#ifdef __cplusplus
}
#endif
#endif
